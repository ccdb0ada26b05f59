"""What a music player costs and how fast it answers, measured from outside, the same way for each."""
