import { defineDifference } from 'orch/sdk'

/** What changed in this plugin from version to version. */
export const oppositesAtList = defineDifference({
  name: 'opposite-decisions-are-reported-at-the-list',
  since: '1.34',
  description: 'The error about a signing request that is both approved and denied is reported at status.conditions.',
  knownFrom: 'source',
})

export const differences = [oppositesAtList]
