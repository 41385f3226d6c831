import { type ChildProcess, spawn } from 'node:child_process'
import * as http from 'node:http'
import * as https from 'node:https'
import { join } from 'node:path'
import { freePort } from '../envtest/programs.js'
import { goldenFolder } from '../golden/server-flags.js'
import { eventually } from '../support/eventually.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { monotonicMs } from './process-figures.js'
import type { MeasuredServer } from './start-build.js'

/** One member with the defaults of etcd: every write is synced. */
export async function startEtcd(program: string): Promise<MeasuredServer> {
  const folder = temporaryFolder()
  const [client, peer] = [await freePort(), await freePort()].map(port => `http://127.0.0.1:${port}`)
  const startedAt = monotonicMs()
  const member = start(program, folder.path, [
    ...['--data-dir', join(folder.path, 'etcd')],
    ...['--listen-client-urls', `${client}`, '--advertise-client-urls', `${client}`],
    ...['--listen-peer-urls', `${peer}`, '--initial-advertise-peer-urls', `${peer}`],
    ...['--initial-cluster', `default=${peer}`],
  ])
  await untilOk(`${client}/health`, member)
  const stop = async () => {
    await end(member)
    folder.remove()
  }
  return { url: `${client}`, pids: [member.pid ?? 0], startedAt, stop }
}

/** kube-apiserver with an etcd of its own, and the flags that our server gets. Control loops do not run. */
export async function startPeer(program: string, etcd: string): Promise<MeasuredServer> {
  const store = await startEtcd(etcd)
  const folder = temporaryFolder()
  const port = await freePort()
  const fixture = (name: string) => join(goldenFolder, 'fixtures', name)
  const startedAt = monotonicMs()
  const server = start(program, folder.path, [
    `--etcd-servers=${store.url}`,
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--cert-dir=${join(folder.path, 'certificates')}`,
    '--authorization-mode=RBAC',
    `--token-auth-file=${fixture('tokens.csv')}`,
    `--client-ca-file=${fixture('ca.pem')}`,
    `--service-account-key-file=${fixture('sa.pub')}`,
    `--service-account-signing-key-file=${fixture('sa.key')}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    '--service-cluster-ip-range=10.0.0.0/24',
    '--enable-admission-plugins=NodeRestriction,OwnerReferencesPermissionEnforcement',
  ])
  const url = `https://127.0.0.1:${port}`
  await untilOk(`${url}/readyz`, server)
  const stop = async () => {
    await end(server)
    await store.stop()
    folder.remove()
  }
  return { url, pids: [server.pid ?? 0, ...store.pids], startedAt, stop }
}

/** Waits for 200. */
export async function untilOk(url: string, server?: ChildProcess): Promise<void> {
  const { get } = url.startsWith('https:') ? https : http
  const isOk = () =>
    new Promise<boolean>(resolve => {
      if (server && server.exitCode !== null) throw new Error(`${server.spawnfile} ended with ${server.exitCode}`)
      get(url, { rejectUnauthorized: false, agent: false }, answer => {
        answer.resume()
        resolve(answer.statusCode === 200)
      }).on('error', () => resolve(false))
    })
  await eventually(url, isOk, 120_000)
}

const start = (program: string, cwd: string, words: readonly string[]): ChildProcess =>
  spawn(program, words, { cwd, stdio: 'ignore' })

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}
