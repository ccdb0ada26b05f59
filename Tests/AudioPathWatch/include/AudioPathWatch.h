// Preloaded into a daemon, this notes what its write callback does that an audio path must not: see AudioPathWatch.c.
#pragma once
