import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import type { Connection, Thing } from './connection.js'
import { patientMs } from './worker-server.js'

/** A token of a service account, and the path of the object whose end is its end. */
export interface RevocableToken {
  readonly token: string
  readonly dependsOn: string
}

/** Tokens of every kind of one account, made through one connection or another: end them in this order. */
export async function makeTokens(connections: readonly Connection[]): Promise<readonly RevocableToken[]> {
  const [one, other] = connections as [Connection, Connection]
  const at = (path: string) => `/api/v1/namespaces/default/${path}`
  const make = async (collection: string, body: object) => {
    const made = await one.post(at(collection), body)
    assert.is(made.status, 201, made.text)
    return made.body.metadata
  }
  const tokenFor = async (boundObjectRef?: object) => {
    const spec = boundObjectRef ? { boundObjectRef } : {}
    return (await other.post(at('serviceaccounts/robot/token'), { spec })).body.status?.token ?? ''
  }
  const bound = (kind: string, { name, uid }: Thing['metadata']) => tokenFor({ apiVersion: 'v1', kind, name, uid })
  await make('serviceaccounts', { metadata: { name: 'robot' } })
  const secret = await make('secrets', { metadata: { name: 'robot-bound' } })
  const spec = { serviceAccountName: 'robot', containers: [{ name: 'c', image: 'i' }] }
  const pod = await make('pods', { metadata: { name: 'robot-pod' }, spec })
  const annotations = { 'orch.io/service-account.name': 'robot' }
  await make('secrets', { metadata: { name: 'robot-kept', annotations }, type: 'orch.io/service-account-token' })
  const kept = await eventually(
    'the token of the Secret',
    async () => (await one.get(at('secrets/robot-kept'))).body.data?.['token'],
    patientMs,
  )
  return [
    { token: await bound('Secret', secret), dependsOn: at('secrets/robot-bound') },
    { token: await bound('Pod', pod), dependsOn: at('pods/robot-pod') },
    { token: Buffer.from(kept, 'base64').toString(), dependsOn: at('secrets/robot-kept') },
    { token: await tokenFor(), dependsOn: at('serviceaccounts/robot') },
  ]
}
