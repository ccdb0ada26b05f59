"""Damaged media files, and the daemon that is tested with them."""
