import { randomBytes } from 'node:crypto'
import type { Folder } from '../support/temporary-folder.js'

/** A provider in a configuration file. */
export type Provider = Readonly<Record<string, unknown>>

export const identity: Provider = { identity: {} }
export const keysOf = (kind: string, ...names: string[]): Provider => ({ [kind]: { keys: names.map(secretOf) } })

const secrets = new Map<string, string>()
/** The same secret for the same name, in one run. */
function secretOf(name: string): { name: string; secret: string } {
  const secret = secrets.get(name) ?? randomBytes(32).toString('base64')
  secrets.set(name, secret)
  return { name, secret }
}

/** Writes an EncryptionConfiguration and returns its path. */
export function writeConfiguration(folder: Folder, providers: readonly Provider[], resources = ['secrets']): string {
  const content = {
    apiVersion: 'apiserver.config.orch.io/v1',
    kind: 'EncryptionConfiguration',
    resources: [{ resources, providers }],
  }
  return folder.write('encryption.yaml', JSON.stringify(content))
}
