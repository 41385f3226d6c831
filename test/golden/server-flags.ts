import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { programFor } from '../support/orch-program.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
/** The server program. */
export const program = programFor([])
export const goldenFolder = join(root, 'test/golden')
export const credentialsFile = join(goldenFolder, 'fixtures/creds.json')
/** A config with all admission controls in a separate process. */
export const isolatedControls = fileURLToPath(new URL('isolated-controls/orch.config.js', import.meta.url))
const fixture = (name: string) => join(goldenFolder, 'fixtures', name)

/** The ways in which the server of the recordings was started. */
export const profiles = ['base', 'plugins', 'strict', 'external', 'loops'] as const
export type Profile = (typeof profiles)[number]

/** The port of the receiver for the server of profile `external`. */
export const externalPort = 28443
const issuer = `https://127.0.0.1:${externalPort}/oidc`

const always: Readonly<Record<string, string>> = {
  vendor: 'kubernetes',
  'token-auth-file': fixture('tokens.csv'),
  'client-ca-file': fixture('ca.pem'),
  'enable-bootstrap-token-auth': 'true',
  'authorization-mode': 'RBAC',
  'service-account-key-file': fixture('sa.pub'),
  'service-account-signing-key-file': fixture('sa.key'),
  'service-account-issuer': 'https://kubernetes.default.svc',
  'requestheader-client-ca-file': fixture('proxy-ca.pem'),
  'requestheader-allowed-names': 'front-proxy-client',
  'requestheader-username-headers': 'X-Remote-User',
  'requestheader-group-headers': 'X-Remote-Group',
  'requestheader-extra-headers-prefix': 'X-Remote-Extra-',
  'service-account-private-key-file': fixture('sa.key'),
  'root-ca-file': fixture('ca.pem'),
  'cluster-signing-cert-file': fixture('ca.pem'),
  'cluster-signing-key-file': fixture('ca-key.pem'),
}
/** Front proxies could not send UIDs before. */
const firstMinorWithUids = 32
/** The first versions with the loops for ranges of Services and for device claims; earlier ones reject their names. */
const firstMinorWithCidrLoop = 33
const firstMinorWithClaimLoop = 34
/** Loops that are off by default. */
const extraLoops = ['bootstrapsigner', 'tokencleaner']
/** Loops that the controller manager of the reference did not run: nothing there scales, binds, counts or changes its phase. */
const absentLoops = [
  'attachdetach',
  'clusterrole-aggregation',
  'cronjob',
  'daemonset',
  'deployment',
  'disruption',
  'endpoint',
  'endpointslice',
  'endpointslicemirroring',
  'ephemeral-volume',
  'horizontalpodautoscaling',
  'job',
  'nodelifecycle',
  'persistentvolume-binder',
  'persistentvolume-expander',
  'podgc',
  'replicaset',
  'replicationcontroller',
  'statefulset',
  'ttl-after-finished',
].map(name => `-${name}`)
const controllers = ['*', ...extraLoops, ...absentLoops]
/** No ConfigMaps are published to new namespaces, except in a profile that tests it. */
const quietControllers = [...controllers, '-root-ca-cert-publisher']

interface ProfileFlags {
  readonly controls: readonly string[]
  readonly controllers?: readonly string[]
  readonly flags?: Readonly<Record<string, string>>
}
const perProfile: Readonly<Record<Profile, ProfileFlags>> = {
  base: { controls: ['OwnerReferencesPermissionEnforcement'] },
  plugins: {
    controls: [
      'AlwaysPullImages',
      'EventRateLimit',
      'ExtendedResourceToleration',
      'LimitPodHardAntiAffinityTopology',
      'PodNodeSelector',
      'PodTolerationRestriction',
    ],
    controllers,
    flags: { 'admission-control-config-file': fixture('admission-plugins.yaml') },
  },
  strict: {
    controls: ['NamespaceAutoProvision', 'NamespaceExists', 'SecurityContextDeny', 'PodSecurityPolicy'],
  },
  external: {
    controls: ['ImagePolicyWebhook'],
    flags: {
      'admission-control-config-file': fixture('admission-external.yaml'),
      'authentication-token-webhook-config-file': fixture('token-webhook.yaml'),
      'authentication-token-webhook-version': 'v1',
      'authentication-token-webhook-cache-ttl': '1s',
      'oidc-issuer-url': issuer,
      'oidc-client-id': 'golden-client',
      'oidc-username-claim': 'preferred_username',
      'oidc-username-prefix': 'oidc:',
      'oidc-groups-claim': 'groups',
      'oidc-groups-prefix': 'oidc:',
      'oidc-required-claim': 'tenant=acme',
      'oidc-ca-file': fixture('webhook-ca.pem'),
    },
  },
  loops: { controls: [], controllers: ['*', ...extraLoops] },
}

/**
 * The flags of a profile that this build supports. Unknown flags are omitted: the scenarios that need them
 * then fail one by one, instead of the server refusing to start.
 */
export async function flagsOf(profile: Profile, version = '1.23'): Promise<string[]> {
  const [help, plugins] = await whatServerKnows()
  const { controls, controllers = quietControllers, flags = {} } = perProfile[profile]
  const loops = controllersIn(plugins)
  const isKnownLoop = (name: string) => name === '*' || loops.includes(name.replace(/^-/, ''))
  const minor = Number(version.replace('1.', ''))
  const isQuiet = controllers === quietControllers
  const wanted = {
    ...always,
    'kubernetes-version': version,
    ...(minor >= firstMinorWithUids ? { 'requestheader-uid-headers': 'X-Remote-Uid' } : {}),
    ...flags,
    controllers: [
      ...controllers.filter(isKnownLoop),
      ...(isQuiet && minor >= firstMinorWithClaimLoop
        ? ['-resourceclaim-controller', '-volumeattributesclass-protection']
        : []),
      // It adds a finalizer soon after a range is made, which the recordings do not have.
      ...(isQuiet && minor >= firstMinorWithCidrLoop ? ['-service-cidr-controller'] : []),
    ].join(),
    'enable-admission-plugins': ['NodeRestriction', ...controls].filter(name => plugins.includes(name)).join(),
  }
  return Object.entries(wanted)
    .filter(([flag, value]) => value !== '' && new RegExp(`--${flag}\\b`).test(help))
    .map(([flag, value]) => `--${flag}=${value}`)
}

let known: Promise<[string, string]> | undefined
/** What the program says about its flags and plugins. It is asked once, however many servers are started. */
const whatServerKnows = () => (known ??= Promise.all([orch('serve', '--help'), orch('plugins')]))

/** The names in the lines `controllers` of `orch plugins`, which may be wrapped. */
const controllersIn = (plugins: string): string[] =>
  [...plugins.matchAll(/^ {2}controllers +((?:.*,\n +)*.*)$/gm)].flatMap(([, names = '']) =>
    names.split(',').map(name => name.trim().replace(/ .*$/, '')),
  )

async function orch(...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words], {
    cwd: root,
  })
  return stdout
}
