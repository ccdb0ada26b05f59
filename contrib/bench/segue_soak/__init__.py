"""Plays for a long time under bad conditions, and looks whether anything is lost, leaked or late."""
