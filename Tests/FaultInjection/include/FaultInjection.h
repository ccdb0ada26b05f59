// A library without an interface, which is preloaded into a daemon; see FaultInjection.c.
#pragma once
