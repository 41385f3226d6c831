import type { Strategy } from 'orch/sdk'
import type { ServiceAccount } from './schema.js'

/** A Secret is always one of the same namespace, so its name is all that counts. */
function keepNamesOnly(draft: ServiceAccount): void {
  if (draft.secrets) draft.secrets = draft.secrets.map(({ name }) => (name === undefined ? {} : { name }))
}

export const mainStrategy = {
  prepareForCreate: keepNamesOnly,
  prepareForUpdate: keepNamesOnly,
} satisfies Strategy<ServiceAccount>
