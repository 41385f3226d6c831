import { ApiError } from '../resource/api-errors.js'
import type { TestServer } from './start-server.js'

/**
 * Makes a namespace where there are namespaces: objects can only be in one that exists. Elsewhere any will do. A refusal is
 * no failure here: whatever needs the namespace will meet the same reason, and can tell what it means.
 */
export async function makeNamespace({ client }: TestServer, name: string): Promise<void> {
  const namespaces = client.resource({ group: '', version: 'v1', resource: 'namespaces' })
  try {
    await namespaces.create({ metadata: { name } })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}
