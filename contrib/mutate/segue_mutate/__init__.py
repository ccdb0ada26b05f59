"""Broken media files, and a daemon that has to live with them."""
