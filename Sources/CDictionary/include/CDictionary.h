// dictionary.c replaces the functions av_dict_get and av_dict_set of libavutil.
#pragma once

/// Resets the budget for searching dictionaries to its maximum, which suffices for every file that is not malicious. Called
/// before a file is opened.
void segue_reset_dictionary_budget(void);

/// Adds to the budget, for streams without an end, whose tags change from song to song. Called for every packet.
void segue_refill_dictionary_budget(void);
