// The definitions in dictionary.c take the place of libavutil's av_dict_get and av_dict_set.
#pragma once

/// What searching dictionaries may cost from here on, in entries compared and bytes copied: enough for any honest file.
/// To be called before a file is opened.
void segue_reset_dictionary_budget(void);

/// Adds to that what a packet of a stream that never ends may need: its tags change from song to song. To be called for
/// every packet.
void segue_refill_dictionary_budget(void);
