// The ids in the document's examples. A test creates these things and replays each example.
export const exampleIds = {
  event: 4711,
  watch: 'wat_0193f0c2a7b97c0e8f0e4d1a2b3c4d5e',
  rule: 'rul_0193f0c2a7b97c0e8f0e4d1a2b3c4d5e',
  channel: 'ch_0193f0c2a7b97c0e8f0e4d1a2b3c4d5e',
  owner: 'own_0193f0c2a7b97c0e8f0e4d1a2b3c4d5e',
  bulkRun: 'job_0193f0c2a7b97c0e8f0e4d1a2b3c4d60',
  apiKey: 'key_0193f0c2a7b97c0e8f0e4d1a2b3c4d5e',
  /** The key above, and the token of a link that signs in with it. */
  key: 'getin_an_example',
  signInLink: 'getin_link_an_example',
  deletion: 'del_0193f0c2a7b97c0e8f0e4d1a2b3c4d5e',
  job: 'job_0193f0c2a7b97c0e8f0e4d1a2b3c4d5e',
  alert: 'alt_0193f0c2a7b97c0e8f0e4d1a2b3c4d5e_1',
  delivery: 'dlv_0193f0c2a7b97c0e8f0e4d1a2b3c4d5e',
  /** A link signed with a key that only the tests use. */
  link: 'bQGT8MKnuXwOjw5NGis8TV4AAAAAAAAkuM8QVbWAQepQObLlcWQ3',
  /** Of the key above, for the board. */
  publishedLink: 'AZPwwqe5fA6PDk0aKzxNXonldLKY1kX5AJF6b8q_ZbA',
} as const;
