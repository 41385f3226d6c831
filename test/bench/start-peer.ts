import { join } from 'node:path'
import { freePort, startProgram } from '../envtest/programs.js'
import { goldenFolder } from '../golden/server-flags.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { monotonicMs } from './process-figures.js'
import type { MeasuredServer } from './start-build.js'

/** One member with the defaults of etcd: every write is synced. Tests use `startCluster` of the plugin storage-etcd instead. */
export async function startEtcd(program: string): Promise<MeasuredServer> {
  const folder = temporaryFolder()
  const url = `http://127.0.0.1:${await freePort()}`
  const peerUrl = `http://127.0.0.1:${await freePort()}`
  const startedAt = monotonicMs()
  const words = [
    ...['--data-dir', join(folder.path, 'etcd'), '--initial-cluster', `default=${peerUrl}`],
    ...['--listen-client-urls', url, '--advertise-client-urls', url],
    ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
  ]
  const member = await startProgram(program, words, `${url}/health`, folder.path)
  const stop = async () => {
    await member.end()
    folder.remove()
  }
  return { url, pids: [member.pid], startedAt, stop }
}

/** kube-apiserver with an etcd of its own, and the flags that our server gets. Its control loops are another program and do not run. */
export async function startPeer(program: string, etcd: string): Promise<MeasuredServer> {
  const store = await startEtcd(etcd)
  const folder = temporaryFolder()
  const port = await freePort()
  const url = `https://127.0.0.1:${port}`
  const fixture = (name: string) => join(goldenFolder, 'fixtures', name)
  const startedAt = monotonicMs()
  const words = [
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
  ]
  const server = await startProgram(program, words, `${url}/readyz`, folder.path)
  const stop = async () => {
    await server.end()
    await store.stop()
    folder.remove()
  }
  return { url, pids: [server.pid, ...store.pids], startedAt, stop }
}
