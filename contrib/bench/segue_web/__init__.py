"""Measures the web remote from outside: with a browser without a window, and with the connections of many pages."""
