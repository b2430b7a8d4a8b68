// What happened since an alert, in one line of a message that is kept up to date.

export interface EpisodeLine {
  /** "New low: $112 · Nov 28, 2:41 PM EST". */
  line: string;
  /** What the alert told is over. */
  isOver: boolean;
}
