import { X509Certificate } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { orchProfile } from 'orch/sdk'
import { fakeClock, fakeLogger, fakeMetrics, startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../../test/support/eventually.js'
import { temporaryFolder } from '../../test/support/temporary-folder.js'
import { ensurePki } from './ensure-pki.js'
import { ExpiryReport } from './expiry-report.js'
import { type Identity, issueCertificate } from './issue-certificate.js'

const running = suite('certificates of a running server')

const dayMs = 24 * 3_600_000
const minuteMs = 60_000

/** The certificate that new connections see. */
const shown = (baseUrl: string): Promise<X509Certificate> =>
  new Promise((resolve, reject) => {
    const socket = connect(
      { host: '127.0.0.1', port: Number(new URL(baseUrl).port), rejectUnauthorized: false },
      () => {
        resolve(socket.getPeerX509Certificate()!)
        socket.destroy()
      },
    )
    socket.on('error', reject)
  })

const start = async (dataDir: string, options: Record<string, unknown> = {}) => {
  const clock = fakeClock(Date.now())
  const log: string[] = []
  const server = await startServer({
    plugins: [],
    tls: true,
    dataDir,
    clock,
    log: line => log.push(line),
    options,
  })
  return { ...server, clock, log }
}

running('are renewed a month before they expire, by the same CA and for the same key', async () => {
  const folder = temporaryFolder()
  // A minute from now it is less than a month.
  const made = await ensurePki({
    dataDir: folder.path,
    vendor: orchProfile,
    bindAddress: '127.0.0.1',
    now: Date.now() - 335 * dayMs + minuteMs / 2,
  })
  const server = await start(folder.path)
  try {
    const before = await shown(server.baseUrl)
    assert.is(before.fingerprint, new X509Certificate(made.serving.certificatePem).fingerprint)
    const after = await eventually('another certificate', async () => {
      await server.clock.advance(minuteMs)
      const now = await shown(server.baseUrl)
      return now.fingerprint !== before.fingerprint && now
    })
    assert.ok(after.verify(new X509Certificate(made.authority.certificatePem).publicKey))
    assert.equal(after.publicKey.export({ format: 'jwk' }), before.publicKey.export({ format: 'jwk' }))
    assert.ok(Date.parse(after.validTo) > Date.parse(before.validTo) + 300 * dayMs)
    const renewed = await ensurePki({
      dataDir: folder.path,
      vendor: orchProfile,
      bindAddress: '127.0.0.1',
      now: server.clock.now(),
    })
    assert.is(renewed.isNew, false)
    assert.is.not(renewed.admin.certificatePem, made.admin.certificatePem)
    const told = server.log.filter(line => line.includes('were renewed'))
    assert.is(told.length, 1)
    assert.match(told[0] ?? '', /serving, admin, front-proxy-client/)
  } finally {
    await server.stop()
    folder.remove()
  }
})

running('of the operator are reloaded when both files have changed', async () => {
  const folder = temporaryFolder()
  const tlsCertFile = join(folder.path, 'given.crt')
  const tlsPrivateKeyFile = join(folder.path, 'given.key')
  const issue = (commonName: string) =>
    issueCertificate({ commonName, use: 'server', hosts: ['127.0.0.1'], now: Date.now(), validForMs: dayMs })
  const certificate = ({ certificatePem }: Identity) => writeFileSync(tlsCertFile, certificatePem)
  const key = ({ keyPem }: Identity) => writeFileSync(tlsPrivateKeyFile, keyPem)
  const first = await issue('first')
  certificate(first)
  key(first)
  const dataDir = join(folder.path, 'data')
  const server = await start(dataDir, { tlsCertFile, tlsPrivateKeyFile })
  try {
    const subjectAfter = async (times: number) => {
      for (let time = 0; time < times; time++) await server.clock.advance(minuteMs)
      return (await shown(server.baseUrl)).subject
    }
    assert.is(await subjectAfter(2), 'CN=first')
    const second = await issue('second')
    certificate(second)
    assert.is(await subjectAfter(3), 'CN=first')
    assert.is(server.log.filter(line => line.includes('the key is not that of the certificate')).length, 1)
    key(second)
    await eventually('the second certificate', async () => (await subjectAfter(1)) === 'CN=second')
    rmSync(tlsCertFile)
    assert.is(await subjectAfter(2), 'CN=second')
  } finally {
    await server.stop()
    folder.remove()
  }
})

running(
  'that are not renewed are logged once a day before they expire, the CA three months before, and all are in a metric',
  async () => {
    const folder = temporaryFolder()
    try {
      const now = Date.now()
      const { authority } = await ensurePki({
        dataDir: folder.path,
        vendor: orchProfile,
        bindAddress: '127.0.0.1',
        now,
      })
      const clock = fakeClock(now)
      const metrics = fakeMetrics()
      const logger = fakeLogger()
      const report = new ExpiryReport({ dataDir: folder.path, givenFile: undefined, clock, logger, metrics })
      const expires = Date.parse(new X509Certificate(authority.certificatePem).validTo)
      const warnings = async (at: number) => {
        await clock.advance(at - clock.now())
        report.run()
        return logger.lines.filter(line => line.level === 'warn').length
      }
      assert.is(await warnings(expires - 91 * dayMs), 0)
      assert.is(
        metrics.valueOf('apiserver_certificate_expiration_timestamp_seconds', { certificate: 'ca' }),
        expires / 1000,
      )
      assert.is(await warnings(expires - 89 * dayMs), 1)
      assert.is(await warnings(expires - 88.5 * dayMs), 1)
      assert.is(await warnings(expires - 88 * dayMs), 2)
      assert.is(await warnings(expires + 2 * dayMs), 3)
      assert.equal(
        logger.lines.map(({ message }) => message),
        ['a certificate is about to expire', 'a certificate is about to expire', 'a certificate has expired'],
      )
      const early = fakeLogger()
      const behind = fakeClock(now - dayMs)
      new ExpiryReport({ dataDir: folder.path, givenFile: undefined, clock: behind, logger: early, metrics }).run()
      assert.ok(early.lines.length > 1 && early.lines.every(({ message }) => /not valid yet/.test(message)))
    } finally {
      folder.remove()
    }
  },
)

running.run()
