import type { NodeSelectorTerm } from './node-selector.js'
import type { Taint, Toleration } from './taints.js'

/** The parts of a node that selectors use. */
export interface SelectableNode {
  readonly metadata: { readonly name?: string; readonly labels?: Readonly<Record<string, string>> }
}

interface Condition {
  readonly key: string
  readonly operator: string
  readonly values?: readonly string[]
}
function holds({ operator, values = [] }: Condition, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    case 'Gt':
      return value !== undefined && Number(value) > Number(values[0])
    case 'Lt':
      return value !== undefined && Number(value) < Number(values[0])
    default:
      return false
  }
}

/** Whether all conditions of the term hold for the node. A term without any selects nothing. */
export function isNodeSelected(term: NodeSelectorTerm, { metadata }: SelectableNode): boolean {
  const { matchExpressions = [], matchFields = [] } = term
  if (matchExpressions.length + matchFields.length === 0) return false
  const fieldOf = (key: string) => (key === 'metadata.name' ? metadata.name : undefined)
  return (
    matchExpressions.every(condition => holds(condition, metadata.labels?.[condition.key])) &&
    matchFields.every(condition => holds(condition, fieldOf(condition.key)))
  )
}

const tolerates = (toleration: Toleration, taint: Taint): boolean => {
  if (toleration.effect && toleration.effect !== taint.effect) return false
  if (toleration.key && toleration.key !== taint.key) return false
  if (toleration.operator === 'Exists') return true
  return (toleration.key ?? '') !== '' && (toleration.value ?? '') === (taint.value ?? '')
}

/** Whether one of the tolerations tolerates the taint. */
export const isTolerated = (taint: Taint, tolerations: readonly Toleration[]): boolean =>
  tolerations.some(toleration => tolerates(toleration, taint))
