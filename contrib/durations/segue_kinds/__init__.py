"""Files whose headers, tables and audio contradict each other."""
