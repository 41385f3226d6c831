/** A suite of tests as envtest runs it: a store, a server and clients. */
import { readdirSync } from 'node:fs'
import { type Client, type Credential, createClient, httpTransport } from 'orch/sdk/client'
import type { KeyPair } from 'orch/sdk/testing'
import * as assert from 'uvu/assert'
import { type Folder, temporaryFolder } from '../support/temporary-folder.js'
import { freePort, programIn, type StartedProgram, startProgram } from './programs.js'

export interface Suite {
  readonly folder: Folder
  readonly url: string
  readonly server: StartedProgram
  /** The credential of the suite. */
  as(user?: Credential): Client
}
export const byCertificate = ({ certificatePem, keyPem }: KeyPair): Credential => ({
  clientCertificatePem: certificatePem,
  clientKeyPem: keyPem,
})
/** Where servers have their data. */
export const dataFolders = (folder: Folder) =>
  readdirSync(folder.path).filter(name => name.startsWith('orch-envtest-data-'))

/** Starts etcd, then a server, and stops them in reverse order. */
export async function inSuite(
  programs: string,
  flags: (parts: { etcd: string; port: number; folder: Folder }) => Promise<{ argv: string[]; caPem?: string }>,
  work: (suite: Suite) => Promise<void>,
  scheme: 'http' | 'https' = 'https',
): Promise<void> {
  const folder = temporaryFolder()
  const [etcdPort, port] = [await freePort(), await freePort()]
  const etcd = `http://127.0.0.1:${etcdPort}`
  const store = await startProgram(
    programIn(programs, 'etcd'),
    [`--listen-client-urls=${etcd}`, `--advertise-client-urls=${etcd}`, '--listen-peer-urls=http://localhost:0'],
    `${etcd}/health`,
    folder.path,
  )
  try {
    const { argv, caPem } = await flags({ etcd, port, folder })
    const url = `${scheme}://127.0.0.1:${port}`
    const server = await startProgram(programIn(programs, 'kube-apiserver'), argv, `${url}/healthz`, folder.path)
    const transports: ReturnType<typeof httpTransport>[] = []
    const as: Suite['as'] = (credentials = {}) => {
      const transport = httpTransport({ server: url, credentials, ...(caPem === undefined ? {} : { caPem }) })
      transports.push(transport)
      return createClient({ transport })
    }
    try {
      await work({ folder, url, server, as })
    } finally {
      await Promise.all(transports.map(transport => transport.close()))
      await server.end('SIGKILL')
    }
  } finally {
    assert.is(await store.end(), 0)
    folder.remove()
  }
}
