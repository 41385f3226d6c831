import { ApiError } from '../api-errors.js'
import type { TestServer } from './start-server.js'

/** Makes a namespace where there are namespaces: objects can only be in one that exists. Elsewhere any will do. */
export async function makeNamespace({ client }: TestServer, name: string): Promise<void> {
  const namespaces = client.resource({ group: '', version: 'v1', resource: 'namespaces' })
  try {
    await namespaces.create({ metadata: { name } })
  } catch (error) {
    if (!(error instanceof ApiError && [404, 409].includes(error.code))) throw error
  }
}
