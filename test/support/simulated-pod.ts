import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from './eventually.js'
import { type RunningServer, startOrch } from './start-orch.js'
import { temporaryFolder } from './temporary-folder.js'

/** A server with one simulated node on which the Pod `web` runs, and an administrator with a token. */
export interface PodServer {
  readonly server: RunningServer
  /** The path of the Pods. */
  readonly pods: string
  send(method: string, path: string, body?: object): Promise<{ readonly status: number; readonly text: string }>
  stop(): Promise<void>
}

export async function startSimulatedPod(token: string, flags: readonly string[] = []): Promise<PodServer> {
  const folder = temporaryFolder()
  const tokens = join(folder.path, 'tokens.csv')
  writeFileSync(tokens, `${token},root,1,"system:masters"\n`)
  const simulation = ['--vendor', 'kubernetes', '--simulate-nodes', '1', '--tls=false', '--token-auth-file', tokens]
  const server = await startOrch({ flags: [...simulation, ...flags] })
  const send: PodServer['send'] = async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(server.url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    return { status: answer.status, text: await answer.text() }
  }
  const pods = '/api/v1/namespaces/default/pods'
  await eventually('the service account', async () =>
    send('GET', '/api/v1/namespaces/default/serviceaccounts/default').then(({ status }) => status === 200 || undefined),
  )
  await send('POST', pods, { metadata: { name: 'web' }, spec: { containers: [{ name: 'main', image: 'web' }] } })
  await eventually('the Pod to run', async () =>
    send('GET', `${pods}/web`).then(({ text }) => JSON.parse(text).status.phase === 'Running' || undefined),
  )
  const stop = async () => {
    await server.stop()
    folder.remove()
  }
  return { server, pods, send, stop }
}
