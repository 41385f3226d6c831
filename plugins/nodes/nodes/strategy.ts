import { strategyForSpec, strategyForStatus } from 'orch/sdk'
import type { Node } from './schema.js'
import { validateNode, validateNodeReplacement, validateNodeUpdate } from './validation.js'

/** A node registers itself with its status; later the status has its own path. */
export const mainStrategy = strategyForSpec<Node>({
  newStatus: ({ status }) => status,
  prepareForCreate(draft) {
    dropConfigSource(draft, undefined)
  },
  prepareForUpdate(draft, stored) {
    dropConfigSource(draft, stored)
  },
  validate: (node, { vendor }) => validateNode(node, vendor),
  validateUpdate: (sent, stored, { vendor }) => validateNodeReplacement(sent, stored, vendor),
  warnings: ({ spec }) =>
    spec?.externalID ? ['spec.externalID: this field is deprecated, and is unused by this server'] : [],
})

export const statusStrategy = strategyForStatus<Node>({
  prepareForUpdate(draft, stored) {
    if (draft.status?.config && !stored.status?.config) delete draft.status.config
  },
  validateUpdate: (sent, stored, { vendor }) => validateNodeUpdate(sent, stored, vendor),
})

/** Nodes no longer take their configuration from the API; who has a source keeps it. */
function dropConfigSource({ spec }: Node, stored: Node | undefined): void {
  if (spec?.configSource !== undefined && stored?.spec?.configSource === undefined) delete spec.configSource
}
