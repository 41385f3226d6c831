import { defineDifference } from 'orch/sdk'

/** What changed in this plugin from version to version. */
export const oppositesAtList = defineDifference({
  name: 'opposite-decisions-are-told-at-the-list',
  since: '1.34',
  description: 'That a signing request is both approved and denied is told at status.conditions.',
  knownFrom: 'source',
})

export const differences = [oppositesAtList]
