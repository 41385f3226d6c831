import type { Strategy } from 'orch/sdk'
import type { Node } from './schema.js'
import { validateNode, validateNodeUpdate } from './validation.js'

/** A node registers itself with its status; later the status has its own path. */
export const mainStrategy = {
  prepareForUpdate(draft, stored) {
    draft.status = stored.status
  },
  validate: (node, { vendor }) => validateNode(node, vendor),
  validateUpdate: (sent, stored, { vendor }) => validateNodeUpdate(sent, stored, vendor),
  resetFields: ['status'],
} satisfies Strategy<Node>

export const statusStrategy = {
  prepareForUpdate(draft, stored) {
    draft.spec = stored.spec
  },
  validateUpdate: (sent, stored, { vendor }) => validateNodeUpdate(sent, stored, vendor),
  resetFields: ['spec'],
} satisfies Strategy<Node>
