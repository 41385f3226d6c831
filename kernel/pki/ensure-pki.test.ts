import { createPrivateKey, X509Certificate } from 'node:crypto'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer, request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { kubernetesProfile, orchProfile } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { rejects } from '../../test/support/rejects.js'
import { writeClientConfig } from './client-config.js'
import { ensurePki, type Pki, type PkiRequest } from './ensure-pki.js'

const pki = suite('pki')

const dayMs = 24 * 3_600_000
async function inFolder(
  use: (ensure: (parts?: Partial<PkiRequest>) => Promise<Pki>, dataDir: string) => Promise<void>,
) {
  const folder = mkdtempSync(join(tmpdir(), 'orch-pki-'))
  const dataDir = join(folder, 'data')
  try {
    await use(
      parts => ensurePki({ dataDir, vendor: orchProfile, bindAddress: '127.0.0.1', now: Date.now(), ...parts }),
      dataDir,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

pki('creates a CA, a serving and an admin certificate, readable by the owner only', () =>
  inFolder(async (ensure, dataDir) => {
    const made = await ensure()
    assert.is(made.isNew, true)
    const serving = new X509Certificate(made.serving.certificatePem)
    for (const host of ['localhost', 'orch', 'orch.default', 'orch.default.svc'])
      assert.is(serving.checkHost(host), host)
    for (const address of ['127.0.0.1', '::1']) assert.is(serving.checkIP(address), address)
    const admin = new X509Certificate(made.admin.certificatePem)
    assert.equal(admin.subject.split('\n'), ['O=system:masters', 'CN=orch-admin'])
    assert.is(new X509Certificate(made.authority.certificatePem).ca, true)
    assert.is(modeOf(dataDir), '700')
    assert.is(modeOf(join(dataDir, 'pki')), '700')
    for (const name of readdirSync(join(dataDir, 'pki'))) assert.is(modeOf(join(dataDir, 'pki', name)), '600', name)
  }),
)

pki('reuses existing files', () =>
  inFolder(async ensure => {
    const first = await ensure()
    assert.equal(await ensure(), { ...first, isNew: false })
  }),
)

pki('renews certificates that are about to expire, with the same CA', () =>
  inFolder(async ensure => {
    const first = await ensure()
    const later = await ensure({ now: Date.now() + 340 * dayMs })
    assert.is.not(later.serving.certificatePem, first.serving.certificatePem)
    assert.is.not(later.admin.certificatePem, first.admin.certificatePem)
    assert.equal(later.authority, first.authority)
    assert.is(later.serving.keyPem, first.serving.keyPem, 'tokens that it signed stay valid')
    assert.is.not(later.admin.keyPem, first.admin.keyPem)
    assert.ok(new X509Certificate(later.serving.certificatePem).checkPrivateKey(createPrivateKey(later.serving.keyPem)))
  }),
)

pki('replaces certificates that were issued while the clock was ahead, but not while it is behind', () =>
  inFolder(async ensure => {
    const first = await ensure()
    await ensure({ now: Date.now() + 340 * dayMs })
    const back = await ensure()
    assert.ok(Date.parse(new X509Certificate(back.serving.certificatePem).validFrom) <= Date.now())
    assert.equal(await ensure({ now: Date.now() - 340 * dayMs }), { ...back, isNew: false })
    assert.equal(back.authority, first.authority)
  }),
)

pki('has a separate CA for the client certificate of the front proxy, and renews both', () =>
  inFolder(async (ensure, dataDir) => {
    const read = (name: string) => new X509Certificate(readFileSync(join(dataDir, 'pki', `front-proxy-${name}.crt`)))
    const { authority } = await ensure()
    const first = read('client')
    assert.is(first.subject, 'CN=front-proxy-client')
    assert.ok(first.verify(read('ca').publicKey))
    assert.not(first.verify(new X509Certificate(authority.certificatePem).publicKey))
    const ca = read('ca').fingerprint256
    assert.ok((await ensure({ now: Date.now() + 340 * dayMs })).isNew)
    assert.is.not(read('client').fingerprint256, first.fingerprint256)
    assert.is(read('ca').fingerprint256, ca)
    // Unlike the CA of clients it is created again: extension servers read it from the API.
    rmSync(join(dataDir, 'pki', 'front-proxy-ca.key'))
    await ensure({ isUsed: true })
    assert.is.not(read('ca').fingerprint256, ca)
    assert.ok(read('client').verify(read('ca').publicKey))
  }),
)

pki('issues a new serving certificate for another address, and keeps the admin', () =>
  inFolder(async ensure => {
    const first = await ensure()
    const moved = await ensure({ bindAddress: '192.0.2.7' })
    assert.is(new X509Certificate(moved.serving.certificatePem).checkIP('192.0.2.7'), '192.0.2.7')
    assert.equal(moved.admin, first.admin)
  }),
)

pki('replaces a certificate that cannot be read, for the same serving key', () =>
  inFolder(async (ensure, dataDir) => {
    const first = await ensure()
    writeFileSync(join(dataDir, 'pki', 'serving.crt'), 'torn')
    writeFileSync(join(dataDir, 'pki', 'admin.crt'), 'torn')
    const repaired = await ensure()
    assert.is.not(repaired.serving.certificatePem, first.serving.certificatePem)
    assert.is(repaired.serving.keyPem, first.serving.keyPem)
    assert.ok(new X509Certificate(repaired.admin.certificatePem))
  }),
)

const years = 366 * dayMs
const losses: Record<string, { lose: (path: (name: string) => string) => void; says: RegExp; later?: number }> = {
  'the key of the authority': { lose: path => rmSync(path('ca.key')), says: /ca\.key" .*missing.*orch certs new-ca/ },
  'the certificate of the authority': { lose: path => rmSync(path('ca.crt')), says: /ca\.crt" .*missing/ },
  'both of them': {
    lose: path => {
      for (const name of ['ca.crt', 'ca.key']) rmSync(path(name))
    },
    says: /ca\.crt" .*missing/,
  },
  'a readable key of the authority': {
    lose: path => writeFileSync(path('ca.key'), 'torn'),
    says: /ca\.key" .*damaged/,
  },
  'a readable authority': { lose: path => writeFileSync(path('ca.crt'), ''), says: /ca\.crt" .*damaged/ },
  'the right key of the authority': {
    lose: path => copyFileSync(path('admin.key'), path('ca.key')),
    says: /ca\.key" .*not the key of ca\.crt/,
  },
  'an authority that may sign': {
    lose: path => {
      for (const end of ['crt', 'key']) copyFileSync(path(`admin.${end}`), path(`ca.${end}`))
    },
    says: /not the certificate of an authority/,
  },
  'the time of the authority': { lose: () => {}, says: /ca\.crt" .*expired/, later: 11 * years },
  'a file in place of a folder': {
    lose: path => {
      rmSync(path('ca.key'))
      mkdirSync(path('ca.key'))
    },
    says: /ca\.key" cannot be used/,
  },
  'the serving key': { lose: path => rmSync(path('serving.key')), says: /serving\.key" .*missing.*new-serving-key/ },
  'a readable serving key': { lose: path => writeFileSync(path('serving.key'), '-'), says: /serving\.key" .*damaged/ },
  'the right serving key': {
    lose: path => copyFileSync(path('admin.key'), path('serving.key')),
    says: /serving\.key" .*not the key of serving\.crt/,
  },
}
for (const [what, { lose, says, later = 0 }] of Object.entries(losses)) {
  pki(`without ${what} nothing is created, and the error names the remedy`, () =>
    inFolder(async (ensure, dataDir) => {
      await ensure()
      const path = (name: string) => join(dataDir, 'pki', name)
      lose(path)
      const before = readdirSync(join(dataDir, 'pki')).sort()
      assert.match((await rejects(ensure({ now: Date.now() + later, isUsed: true }))).message, says)
      assert.equal(readdirSync(join(dataDir, 'pki')).sort(), before)
    }),
  )
}

pki('an interrupted first start is repeated', () =>
  inFolder(async (ensure, dataDir) => {
    await ensure()
    for (const name of readdirSync(join(dataDir, 'pki'))) if (name !== 'ca.key') rmSync(join(dataDir, 'pki', name))
    assert.is((await ensure()).isNew, true)
  }),
)

pki('writes a client config whose certificates a real TLS handshake accepts, readable by the owner only', () =>
  inFolder(async (ensure, dataDir) => {
    const { serving, admin, authority } = await ensure({ vendor: kubernetesProfile })
    const tls = { cert: serving.certificatePem, key: serving.keyPem, ca: authority.certificatePem }
    const server = createServer({ ...tls, requestCert: true }, (request, response) => {
      const socket = request.socket as TLSSocket
      response.end(`${socket.authorized} ${socket.getPeerCertificate().subject.CN}`)
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    try {
      const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
      const caCertificatePem = authority.certificatePem
      const path = writeClientConfig({ dataDir, vendor: kubernetesProfile, server: address, caCertificatePem, admin })
      assert.is(modeOf(path), '600')
      const config = parse(readFileSync(path, 'utf8'))
      assert.is(config['current-context'], 'kubernetes-admin@kubernetes')
      const decoded = (text: string) => Buffer.from(text, 'base64')
      const { cluster } = config.clusters[0]
      const { user } = config.users[0]
      const answer = await new Promise<string>((resolve, reject) => {
        const credentials = {
          ca: decoded(cluster['certificate-authority-data']),
          cert: decoded(user['client-certificate-data']),
          key: decoded(user['client-key-data']),
        }
        httpsRequest(cluster.server, { ...credentials, agent: false }, response => {
          response.setEncoding('utf8').on('data', resolve)
        })
          .on('error', reject)
          .end()
      })
      assert.is(answer, 'true kubernetes-admin')
    } finally {
      await new Promise(resolve => server.close(resolve))
    }
  }),
)
pki.run()
