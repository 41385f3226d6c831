import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Finding, warning } from '../finding.js'

/**
 * Tokens of service accounts are signed with the key of the server unless another is named. A start makes what is missing, so that a
 * lost key is not noticed until programs are refused.
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
