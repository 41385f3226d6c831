import { ApiError } from '../resource/api-errors.js'
import type { TestServer } from './start-server.js'

/**
 * Creates a namespace if the server has namespaces: objects can only be created in an existing one. A rejection is not
 * an error here: whatever needs the namespace will fail for the same reason, with a better message.
 */
export async function makeNamespace({ client }: TestServer, name: string): Promise<void> {
  const namespaces = client.resource({ group: '', version: 'v1', resource: 'namespaces' })
  try {
    await namespaces.create({ metadata: { name } })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}
