import type { ServedLevel, Strategy } from 'orch/sdk'
import { warningsAboutMountableSecrets } from '../differences.js'
import type { AuthenticationNames } from '../names.js'
import type { ServiceAccount } from './schema.js'

/** The Secrets are always of the same namespace, so only their names are stored. */
function keepNamesOnly(draft: ServiceAccount): void {
  if (draft.secrets) draft.secrets = draft.secrets.map(({ name }) => (name === undefined ? {} : { name }))
}

export const mainStrategy = {
  prepareForCreate: keepNamesOnly,
  prepareForUpdate: keepNamesOnly,
} satisfies Strategy<ServiceAccount>

/** The same with warnings, where there are any. */
export function warningStrategy(
  { enforceMountableSecrets: key }: AuthenticationNames,
  level: ServedLevel,
): Strategy<ServiceAccount> {
  if (!level.has(warningsAboutMountableSecrets)) return mainStrategy
  const isSet = (account: ServiceAccount | undefined) => account?.metadata?.annotations?.[key] !== undefined
  const text = `metadata.annotations[${key}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`
  return {
    ...mainStrategy,
    warnings: (account, stored) => (isSet(account) && !isSet(stored) ? [text] : []),
  }
}
