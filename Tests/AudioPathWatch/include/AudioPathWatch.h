// A library without an interface, which is preloaded into a daemon; see AudioPathWatch.c.
#pragma once
