import type { FieldError } from 'orch/sdk'
import type { PersistentVolumeSpec } from 'orch/sdk/core'
import { checkUnchanged } from '../immutable-field.js'
import type { StorageNames } from '../names.js'

type NodeAffinity = PersistentVolumeSpec['nodeAffinity']

/** The node affinity of a volume is immutable, except that labels may get their final names. */
export const checkNodeAffinityKept = (
  sent: NodeAffinity,
  stored: NodeAffinity,
  { changeableNodeLabels }: Pick<StorageNames, 'changeableNodeLabels'>,
): FieldError[] => checkUnchanged(sent, withLabelsOf(sent, stored, changeableNodeLabels), 'nodeAffinity')

/** The stored affinity, in which a label has its final name if it has that in the sent one at the same place. */
function withLabelsOf(sent: NodeAffinity, stored: NodeAffinity, finalNames: ReadonlyMap<string, string>): NodeAffinity {
  const renamed = structuredClone(stored)
  for (const [i, term] of (renamed?.required?.nodeSelectorTerms ?? []).entries())
    for (const list of ['matchExpressions', 'matchFields'] as const)
      for (const [j, requirement] of (term[list] ?? []).entries()) {
        const key = sent?.required?.nodeSelectorTerms[i]?.[list]?.[j]?.key
        if (key !== undefined && finalNames.get(requirement.key) === key) requirement.key = key
      }
  return renamed
}
