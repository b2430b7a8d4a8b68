// The ids that the document's examples speak of. A test makes these very things and replays each example.
export const exampleIds = {
  event: 4711,
  watch: 'wat_0193f0c2a7b97c0e8f0e4d1a2b3c4d5e',
  rule: 'rul_0193f0c2a7b97c0e8f0e4d1a2b3c4d5e',
  channel: 'ch_0193f0c2a7b97c0e8f0e4d1a2b3c4d5e',
  owner: 'own_0193f0c2a7b97c0e8f0e4d1a2b3c4d5e',
  apiKey: 'key_0193f0c2a7b97c0e8f0e4d1a2b3c4d5e',
  alert: 'alt_0193f0c2a7b97c0e8f0e4d1a2b3c4d5e_1',
  delivery: 'dlv_0193f0c2a7b97c0e8f0e4d1a2b3c4d5e',
  /** What signs it is nobody's secret but the tests'. */
  link: 'bQGT8MKnuXwOjw5NGis8TV4AAAAAAAAkuM8QVbWAQepQObLlcWQ3',
} as const;
