import { chmodSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openLmdbStore } from '../../kernel/storage/lmdb/lmdb-storage.js'
import { openEtcdStore } from '../../plugins/storage-etcd/open-etcd-store.js'
import { isEtcdInstalled, startCluster } from '../../plugins/storage-etcd/testing/etcd-cluster.js'
import { changeContents } from '../../sdk/host/store-contents.js'
import { testAuthority } from '../../sdk/testing/index.js'
import { inFolder } from './boot-request.js'
import { runBinary, serveBinary } from './run-binary.js'

const doctor = suite('orch doctor')
/** Its errors and warnings. */
const complaintsOf = (out: string) => out.split('\n').filter(line => /^(WRONG|warning)/.test(line))

doctor('finds no problem before the first start, next to a running server, and after it', () =>
  inFolder({}, async dir => {
    const look = (...words: string[]) => runBinary(dir, 'doctor', ...words)
    const before = await look('--secure-port=0')
    assert.is(before.code, 0, before.out + before.err)
    assert.match(before.out, /there is no folder .*data yet/)
    const server = await serveBinary(dir, '--secure-port=0')
    try {
      const [, port = ''] = /127\.0\.0\.1:(\d+)/.exec(server.banner) ?? []
      const beside = await look('--secure-port', port)
      assert.is(beside.code, 0, beside.out)
      assert.match(beside.out, /is taken by the server that runs \(process \d+\)/)
    } finally {
      await server.stop()
    }
    const after = await look('--secure-port=0', '--deep')
    assert.is(after.code, 0, after.out)
    assert.match(after.out, /all \d+ objects can be read/)
    assert.match(after.out, /\n0 wrong, \d+ warnings, \d+ fine\n$/)

    const dataDir = join(dir, 'data')
    const opened = await openLmdbStore({ dataDir })
    await changeContents(opened, contents => ({ ...contents!, format: 98 }))
    await opened.close()
    assert.match((await look('--secure-port=0')).out, /\nWRONG .*has format 98.*ORCH_STORE_FORMAT/)

    const store = join(dir, 'data/store/data.mdb')
    const marker = join(dir, 'data/data-folder.json')
    const whole = readFileSync(marker)
    chmodSync(join(dir, 'data/pki/ca.key'), 0o644)
    writeFileSync(join(dir, 'data/pki/serving.key'), 'torn')
    writeFileSync(marker, JSON.stringify({ vendor: 'orch', format: 99 }))
    truncateSync(store, 100)
    const broken = await look('--secure-prot=1', '--client-ca-file', 'none.pem', '--secure-port=0')
    assert.is(broken.code, 1)
    for (const expected of [
      /Unknown flag --secure-prot, did you mean --secure-port\?.*ORCH_FLAG_UNKNOWN/,
      /has format 99.*ORCH_DATA_FOLDER_FORMAT/,
      /ca.key has mode 644/,
      /serving.crt and .*serving.key cannot be used/,
      /--client-ca-file .*none.pem does not exist/,
      /the store cannot be read/,
    ])
      assert.ok(
        complaintsOf(broken.out).some(line => expected.test(line)),
        `${expected} in ${broken.out}`,
      )
    assert.equal(readFileSync(store).length, 100, 'nothing was changed')
    writeFileSync(marker, whole)
  }),
)

doctor('runs the checks of plugins, and reports that the key that tokens were signed with is missing', () =>
  inFolder({ 'tokens.csv': 'only-a-token\n' }, async dir => {
    const look = (...words: string[]) => runBinary(dir, 'doctor', '--secure-port=0', ...words)
    const refused = await look('--token-auth-file=tokens.csv')
    assert.is(refused.code, 1)
    assert.match(
      refused.out,
      /WRONG .*start task "static tokens".*tokens\.csv, line 1: expected token, user name, user uid/,
    )
    assert.not.match(refused.out, 'only-a-token')
    assert.match(
      (await look('--oidc-client-id=me')).out,
      /--oidc-issuer-url and --oidc-client-id must be given together/,
    )
    const server = await serveBinary(dir, '--secure-port=0')
    await server.stop()
    rmSync(join(dir, 'data/pki/serving.key'))
    rmSync(join(dir, 'data/pki/service-account.key'))
    assert.ok(
      complaintsOf((await look()).out).some(line =>
        /serving\.key is missing: the next start makes a new key/.test(line),
      ),
    )
  }),
)

doctor('reports an expired serving certificate, on disk and on the port of the running server', () =>
  inFolder({}, async dir => {
    const dayMs = 24 * 3_600_000
    const authority = await testAuthority()
    const ofTheServer = { user: 'localhost', fromMs: -20 * dayMs }
    const put = ({ certificatePem, keyPem }: { certificatePem: string; keyPem: string }) => {
      writeFileSync(join(dir, 'own.crt'), certificatePem)
      writeFileSync(join(dir, 'own.key'), keyPem)
    }
    put(await authority.issue({ ...ofTheServer, untilMs: -dayMs }))
    const flags = ['--tls-cert-file=own.crt', '--tls-private-key-file=own.key']
    const server = await serveBinary(dir, '--secure-port=0', ...flags)
    try {
      assert.match(server.err(), /"own\.crt".*"remedy".*a certificate has expired/)
      const [, port = ''] = /127\.0\.0\.1:(\d+)/.exec(server.banner) ?? []
      const found = await runBinary(dir, 'doctor', '--secure-port', port, ...flags)
      assert.is(found.code, 1, found.out)
      assert.match(
        found.out,
        /WRONG +--tls-cert-file \S+own\.crt expired on \S+, and it is \S+ here\n +-> Put a new one there/,
      )
      assert.match(
        found.out,
        /WRONG +port \d+ of 127\.0\.0\.1 is taken by the server .* shows a certificate that expired on .*\n +-> See its log/,
      )
    } finally {
      await server.stop()
    }
    put(await authority.issue({ ...ofTheServer, untilMs: 90 * dayMs }))
    const mended = await runBinary(dir, 'doctor', '--secure-port=0', ...flags)
    assert.is(mended.code, 0, mended.out)
  }),
)

doctor('works if the config cannot be loaded', () =>
  inFolder({ 'orch.config.mjs': 'throw new Error("half an edit")' }, async dir => {
    const { code, out } = await runBinary(dir, 'doctor', '--data-dir', 'data')
    assert.is(code, 1)
    assert.match(complaintsOf(out).join('\n'), /half an edit.*ORCH_CONFIG_LOAD_FAILED/)
  }),
)

if (isEtcdInstalled()) {
  doctor('checks etcd and its contents', () =>
    inFolder({}, async dir => {
      const etcd = await startCluster()
      const flags = ['--storage-engine=etcd', `--etcd-servers=${etcd.servers}`, '--secure-port=0']
      const look = () => runBinary(dir, 'doctor', ...flags)
      try {
        const server = await serveBinary(dir, ...flags)
        await server.stop()
        const well = await look()
        assert.is(well.code, 0, well.out + well.err)
        assert.match(well.out, `ok       etcd at ${etcd.servers} answers: version`)
        const settings = { historyMs: 300_000, now: Date.now, warn: () => {} }
        const store = await openEtcdStore({ etcdServers: [...etcd.servers], etcdPrefix: '/registry', ...settings })
        await changeContents(store, contents => ({ ...contents!, format: 98 }))
        await store.close()
        assert.match(complaintsOf((await look()).out).join('\n'), /^WRONG .*has format 98.*ORCH_STORE_FORMAT/)
      } finally {
        await etcd.stop()
      }
      const gone = await look()
      assert.is(gone.code, 1)
      assert.match(complaintsOf(gone.out).join('\n'), `WRONG    etcd at ${etcd.servers} does not answer: `)
    }),
  )
} else {
  console.log('SKIP etcd is not installed')
}

doctor.run()
