// sd-event, sd-bus and sd-daemon.
#pragma once
#include <sys/epoll.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
