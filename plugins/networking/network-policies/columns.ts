import {
  ageColumn,
  type Column,
  formatLabelSelector,
  type LabelSelector,
  labelSelectorRequirements,
  nameColumn,
} from 'orch/sdk'
import type { NetworkPolicy } from './schema.js'

function selectorText(selector: LabelSelector | undefined): string {
  try {
    return formatLabelSelector(labelSelectorRequirements(selector) ?? []) || '<none>'
  } catch {
    // What a client of another time stored must not break a list.
    return '<error>'
  }
}

export const columns: readonly Column<NetworkPolicy>[] = [
  nameColumn as Column<NetworkPolicy>,
  {
    name: 'Pod-Selector',
    type: 'string',
    description: 'Labels of the Pods it is about.',
    cell: ({ spec }) => selectorText(spec?.podSelector),
  },
  ageColumn as Column<NetworkPolicy>,
]
