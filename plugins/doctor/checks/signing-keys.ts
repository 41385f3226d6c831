import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Finding, warning } from '../finding.js'

/**
 * Service account tokens are signed with the serving key by default. A start creates missing keys, so that a
 * lost key is not noticed until tokens are rejected.
 */
export function checkSigningKeys(dataDir: string, options: Readonly<Record<string, unknown>>): Finding[] {
  const at = (name: string) => join(dataDir, 'pki', name)
  const hasStarted = existsSync(at('ca.crt'))
  const isNamed = ['serviceAccountSigningKeyFile', 'tlsPrivateKeyFile'].some(key => typeof options[key] === 'string')
  if (!hasStarted || isNamed || existsSync(at('serving.key'))) return []
  return [
    warning(
      `${at('serving.key')} is missing: the next start makes a new key, and tokens of service accounts that were signed with the old one are refused`,
      'Restore it from a backup before the start, or have programs get new tokens after it',
    ),
  ]
}
