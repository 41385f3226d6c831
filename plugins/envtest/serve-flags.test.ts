import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { withAbsoluteConfig } from './envtest-command.js'
import { readFlags } from './read-flags.js'
import { referenceFlags, referenceHelp } from './reference-flags.js'
import { planServe, serverLoops } from './serve-flags.js'

const flags = suite('the flags of the reference')
const known = {
  admissionControls: ['NamespaceLifecycle', 'ServiceAccount'],
  featureGates: ['APIListChunking', 'AllBeta'],
}
const plan = (...argv: string[]) => planServe(readFlags(argv), known, '/nowhere')
/** Flags that are always passed to `orch serve`. */
const always = [
  '--bind-address=127.0.0.1',
  '--secure-port=6443',
  '--authorization-mode=AlwaysAllow',
  `--controllers=${serverLoops.join(',')}`,
]

const accepted: Record<string, { argv: string[]; given: string[] }> = {
  'a value after an equals sign': { argv: ['--event-ttl=2h'], given: ['--event-ttl=2h'] },
  'a value after a space': { argv: ['--event-ttl', '2h'], given: ['--event-ttl=2h'] },
  'one dash': { argv: ['-event-ttl', '2h'], given: ['--event-ttl=2h'] },
  underscores: { argv: ['--event_ttl=2h'], given: ['--event-ttl=2h'] },
  'a value with an equals sign in it': {
    argv: ['--oidc-required-claim', 'a=b'],
    given: ['--oidc-required-claim=a=b'],
  },
  'a flag that is repeated': {
    argv: ['--service-account-key-file=a', '--service-account-key-file', 'b'],
    given: ['--service-account-key-file=a', '--service-account-key-file=b'],
  },
  'a switch, which takes no argument': {
    argv: ['--anonymous-auth', '--v', '4'],
    given: ['--v=4', '--anonymous-auth=true'],
  },
  'a switch that is turned off': { argv: ['--anonymous-auth=false'], given: ['--anonymous-auth=false'] },
  'empty values, as from templates': { argv: ['--advertise-address=', ''], given: [] },
}
for (const [what, { argv, given }] of Object.entries(accepted))
  flags(`take ${what}`, () => {
    assert.equal(plan(...argv), { flags: [...given, ...always], warnings: [], hasOtherFirstObjects: false })
  })

const refused: Record<string, { argv: string[]; message: RegExp }> = {
  'a flag that the reference never had': { argv: ['--etcd-server=x'], message: /^unknown flag: --etcd-server$/ },
  'a flag without its value': { argv: ['--cert-dir'], message: /^flag needs an argument: --cert-dir$/ },
  'an argument that is not a flag': { argv: ['serve'], message: /^"serve" is not a flag/ },
  'an authorization mode that is not here': { argv: ['--authorization-mode=ABAC'], message: /ABAC is not supported/ },
  'an invalid port': { argv: ['--insecure-port=x'], message: /^--insecure-port: "x" is not a port$/ },
  'a plain port on a public address': {
    argv: ['--insecure-port=80', '--insecure-bind-address=0.0.0.0'],
    message: /only a loopback address is allowed/,
  },
}
for (const [what, { argv, message }] of Object.entries(refused))
  flags(`refuse ${what}`, () => assert.throws(() => plan(...argv), message))

flags('without an effect here are listed in one line', () => {
  const { warnings } = plan('--goaway-chance=0.1', '--profiling', '--tls-min-version', 'x', '--goaway-chance=0')
  assert.equal(warnings, ['ignored, because they have no effect: --goaway-chance, --profiling, --tls-min-version'])
})

flags('may name admission controls that do not exist', () => {
  const { flags: given, warnings } = plan('--disable-admission-plugins=ServiceAccount,Elsewhere')
  assert.ok(given.includes('--disable-admission-plugins=ServiceAccount'))
  assert.equal(warnings, ['--disable-admission-plugins: ignored, because they do not exist here: Elsewhere'])
})

flags('may name gates that do not exist', () => {
  const { flags: given, warnings } = plan(
    '--feature-gates=Elsewhere=true,APIListChunking=false',
    '--feature-gates=AllBeta=true',
  )
  assert.ok(given.includes('--feature-gates=APIListChunking=false,AllBeta=true'))
  assert.equal(warnings, ['--feature-gates: ignored, because they do not exist here: Elsewhere'])
  assert.not.match(plan('--feature-gates=Elsewhere=true').flags.join(' '), /feature-gates/)
})

flags('for a file of authorizers replace the default mode', () => {
  const { flags: given } = plan('--authorization-config=a.yaml')
  assert.ok(given.includes('--authorization-config=a.yaml'))
  assert.not.match(given.join(' '), /authorization-mode/)
  assert.match(plan('--authorization-config=a.yaml', '--authorization-mode=RBAC').flags.join(' '), /-mode=RBAC/)
})

flags('for encryption have an older name, too, and disable prepared objects', () => {
  for (const name of ['encryption-provider-config', 'experimental-encryption-provider-config']) {
    const { flags: given, hasOtherFirstObjects } = plan(`--${name}=e.yaml`)
    assert.ok(given.includes('--encryption-provider-config=e.yaml'))
    assert.ok(hasOtherFirstObjects)
  }
})

flags('for a plain port open one', () => {
  assert.equal(plan('--insecure-port=8080').insecure, { host: '127.0.0.1', port: 8080 })
  assert.is(plan('--insecure-port=0').insecure, undefined)
})

flags('enable further loops', () => {
  assert.ok(plan('--controllers=namespace').flags.includes(`--controllers=${serverLoops.join(',')},namespace`))
})

flags('that change the first objects are detected', () => {
  assert.is(plan('--service-cluster-ip-range=10.0.0.0/24').hasOtherFirstObjects, false)
  assert.is(plan('--service-cluster-ip-range=10.1.0.0/24').hasOtherFirstObjects, true)
})

flags('of orch serve for all servers get an absolute path of the config', () => {
  const given = ['--config', 'own.ts', '--v=4', '--config=/there/own.ts', '--config=own.ts']
  assert.equal(withAbsoluteConfig(given, '/here'), [
    '--config',
    '/here/own.ts',
    '--v=4',
    '--config=/there/own.ts',
    '--config=/here/own.ts',
  ])
})

flags('are in the help, one per line', () => {
  for (const name of referenceFlags().keys()) assert.match(referenceHelp(), new RegExp(`^\\s*--${name}\\b`, 'm'))
})

flags.run()
