// Expat, the XML reader of XSPF playlists.
#pragma once
#include <expat.h>
