import { kubernetesGates } from './kubernetes-gates.js'
import { type Lifespan, ServedLevel, type VersionName } from './level.js'

/** A health check under the name that clients know, and the endpoints that show it: all by default. */
export interface StartCheck extends Lifespan {
  readonly name: string
  readonly endpoints?: readonly ('healthz' | 'livez' | 'readyz')[]
}

/**
 * Every identifier that carries a vendor name is built here from plain data, so that a plugin never spells one out.
 * A profile is data only: `{ ...orchProfile, name: 'acme', domain: 'acme.test' }` is a complete custom vendor.
 */
export interface VendorProfile {
  /** Short name, used in media types and default object names (`orch`). */
  readonly name: string
  /** The display name of the product, as in page titles; the name if omitted. */
  readonly title?: string
  /** Domain of label, annotation, finalizer, signer and Secret type keys (`orch.io`). */
  readonly domain: string
  /** Domain of API groups (`orch.io`; Kubernetes uses another one here). */
  readonly groupDomain: string
  /** Prefix of OpenAPI definition names of built-in types. */
  readonly definitionPrefix: string
  /** Packages whose OpenAPI definitions have another prefix: `apiregistration` → prefix. */
  readonly definitionPrefixes?: Readonly<Record<string, string>>
  /** Prefix of OpenAPI definition names of the meta types. */
  readonly metaDefinitionPrefix: string
  /** Prefix of OpenAPI extensions (`x-orch-`). */
  readonly extensionPrefix: string
  /**
   * Another prefix under which OpenAPI names the kind of each definition, for clients that look for it (`kubectl
   * explain`).
   */
  readonly foreignExtensionPrefix?: string
  readonly protobufMediaType: string
  readonly namespaces: { readonly system: string; readonly public: string; readonly nodeLease: string }
  /** Prefix of the names of objects and volumes that the server creates itself: `<prefix>-root-ca.crt`. */
  readonly objectPrefix: string
  /** The agent on each node, as it appears in label prefixes and user agents. */
  readonly nodeAgent: string
  /** The command-line client, as it appears in its annotation and default field manager. */
  readonly cli: string
  /** Name of the Service that stands for this server in the default namespace. */
  readonly apiService: string
  readonly signers: {
    readonly client: string
    readonly nodeAgentClient: string
    readonly nodeAgentServing: string
    readonly legacyUnknown: string
  }
  readonly users: { readonly controllerManager: string; readonly scheduler: string; readonly proxy: string }
  readonly env: { readonly execInfo: string; readonly clientConfig: string }
  /** The name under which health endpoints show the store: `storage` by default. */
  readonly storageCheck?: string
  /** Health checks of the kernel that pass once the server has started: `start`, shown by /livez, by default. */
  readonly startChecks?: readonly StartCheck[]
  /** The response of deletecollection: a Status, or the list of deleted objects. */
  readonly deleteCollectionAnswer: 'status' | 'list'
  /**
   * Whether to accept what Kubernetes accepts beyond the specification (an emptyDir of huge pages, a Pod that states
   * the overhead of its RuntimeClass).
   */
  readonly acceptsWhatReferenceAccepts: boolean
  /** Where clients look for their config, relative to the home folder, if the environment names none. */
  readonly clientConfigPath: string
  /** Version reported at /version. */
  readonly version: { readonly major: string; readonly minor: string; readonly gitVersion: string }
  /**
   * The API versions that can be chosen, each with the release that stands for it, oldest first. Without any, the
   * server follows the specification: it has everything that was ever added and nothing that was removed.
   */
  readonly releases?: Readonly<Record<VersionName, string>>
  /** The feature gates of these versions and their histories, whether or not a plugin implements them. */
  readonly gates?: Readonly<Record<string, string>>
}

/** The names of orch itself; the default. */
export const orchProfile: VendorProfile = {
  name: 'orch',
  domain: 'orch.io',
  groupDomain: 'orch.io',
  definitionPrefix: 'io.orch.api.',
  metaDefinitionPrefix: 'io.orch.meta.',
  extensionPrefix: 'x-orch-',
  foreignExtensionPrefix: 'x-kubernetes-',
  protobufMediaType: 'application/vnd.orch.protobuf',
  namespaces: { system: 'orch-system', public: 'orch-public', nodeLease: 'orch-node-lease' },
  objectPrefix: 'orch',
  nodeAgent: 'nodeagent',
  cli: 'orchctl',
  apiService: 'orch',
  signers: {
    client: 'apiserver-client',
    nodeAgentClient: 'apiserver-client-nodeagent',
    nodeAgentServing: 'nodeagent-serving',
    legacyUnknown: 'legacy-unknown',
  },
  users: {
    controllerManager: 'system:orch-controller-manager',
    scheduler: 'system:orch-scheduler',
    proxy: 'system:orch-proxy',
  },
  env: { execInfo: 'ORCH_EXEC_INFO', clientConfig: 'ORCHCONFIG' },
  deleteCollectionAnswer: 'status',
  acceptsWhatReferenceAccepts: false,
  clientConfigPath: '.orch/config',
  version: { major: '1', minor: '23', gitVersion: 'v1.23.17+orch' },
}

/** The release of each minor version that stands for it. */
const kubernetesReleases: Readonly<Record<VersionName, string>> = {
  '1.23': 'v1.23.17',
  '1.24': 'v1.24.17',
  '1.25': 'v1.25.16',
  '1.26': 'v1.26.15',
  '1.27': 'v1.27.16',
  '1.28': 'v1.28.15',
  '1.29': 'v1.29.15',
  '1.30': 'v1.30.14',
  '1.31': 'v1.31.14',
  '1.32': 'v1.32.13',
  '1.33': 'v1.33.13',
  '1.34': 'v1.34.11',
  '1.35': 'v1.35.8',
  '1.36': 'v1.36.4',
}

const hook = (name: string, lifespan: Lifespan = {}): StartCheck => ({ name: `poststarthook/${name}`, ...lifespan })
/** Probes ask for checks by these names. */
const kubernetesStartChecks: readonly StartCheck[] = [
  { name: 'loopback-serving-certificate', endpoints: ['healthz', 'livez'], since: '1.36' },
  { name: 'etcd-readiness', endpoints: ['readyz'], since: '1.25' },
  { name: 'informer-sync', endpoints: ['readyz'] },
  hook('start-kube-apiserver-admission-initializer', { until: '1.29' }),
  hook('start-apiserver-admission-initializer', { since: '1.30' }),
  hook('generic-apiserver-start-informers'),
  hook('storage-object-count-tracker-hook', { since: '1.25' }),
  hook('storage-readiness', { since: '1.36' }),
]

/** The names of Kubernetes, for its clients. */
export const kubernetesProfile: VendorProfile = {
  name: 'kubernetes',
  title: 'Kubernetes',
  domain: 'kubernetes.io',
  groupDomain: 'k8s.io',
  definitionPrefix: 'io.k8s.api.',
  definitionPrefixes: {
    apiextensions: 'io.k8s.apiextensions-apiserver.pkg.apis.',
    apiregistration: 'io.k8s.kube-aggregator.pkg.apis.',
    runtime: 'io.k8s.apimachinery.pkg.',
  },
  metaDefinitionPrefix: 'io.k8s.apimachinery.pkg.',
  extensionPrefix: 'x-kubernetes-',
  protobufMediaType: 'application/vnd.kubernetes.protobuf',
  namespaces: { system: 'kube-system', public: 'kube-public', nodeLease: 'kube-node-lease' },
  objectPrefix: 'kube',
  nodeAgent: 'kubelet',
  cli: 'kubectl',
  apiService: 'kubernetes',
  signers: {
    client: 'kube-apiserver-client',
    nodeAgentClient: 'kube-apiserver-client-kubelet',
    nodeAgentServing: 'kubelet-serving',
    legacyUnknown: 'legacy-unknown',
  },
  users: {
    controllerManager: 'system:kube-controller-manager',
    scheduler: 'system:kube-scheduler',
    proxy: 'system:kube-proxy',
  },
  env: { execInfo: 'KUBERNETES_EXEC_INFO', clientConfig: 'KUBECONFIG' },
  storageCheck: 'etcd',
  startChecks: kubernetesStartChecks,
  deleteCollectionAnswer: 'list',
  acceptsWhatReferenceAccepts: true,
  clientConfigPath: '.kube/config',
  version: { major: '1', minor: '36', gitVersion: kubernetesReleases['1.36']! },
  releases: kubernetesReleases,
  gates: kubernetesGates,
}

/** The profiles that `--vendor` knows by name. */
export const vendorProfiles: Readonly<Record<string, VendorProfile>> = {
  orch: orchProfile,
  kubernetes: kubernetesProfile,
}

/**
 * A profile at another version of its API: `1.30`, `v1.30` or `1.30.14`. Undefined if the profile does not know the
 * version; those it knows are `Object.keys(profile.releases)`.
 */
export function profileAtVersion(profile: VendorProfile, version: string): VendorProfile | undefined {
  const [, major, minor, patch] = /^v?(\d+)\.(\d+)(\.\d+)?$/.exec(version.trim()) ?? []
  const release = profile.releases?.[`${Number(major)}.${Number(minor)}`]
  if (major === undefined || minor === undefined || release === undefined) return undefined
  const gitVersion = patch === undefined ? release : `v${major}.${minor}${patch}`
  return { ...profile, version: { major, minor, gitVersion } }
}

/** A profile with the functions that build identifiers from it. Plugins receive it in `register`. */
export class Vendor {
  readonly profile: VendorProfile
  /** The version of the API that the server speaks. */
  readonly level: ServedLevel
  constructor(profile: VendorProfile) {
    this.profile = profile
    const { major, minor } = profile.version
    this.level = new ServedLevel(`${Number(major)}.${Number.parseInt(minor, 10)}`, {
      isAdditive: profile.releases === undefined,
    })
  }
  get name(): string {
    return this.profile.name
  }
  /** The display name of the product. */
  get title(): string {
    return this.profile.title ?? this.profile.name
  }
  /** The group of the meta types: `meta.<groupDomain>`. */
  get metaGroup(): string {
    return this.group('meta')
  }
  /** An API group: `group('storage')` is `storage.<groupDomain>`. */
  group(name: string): string {
    return `${name}.${this.profile.groupDomain}`
  }
  /** A key in the vendor's domain: `qualify('pvc-protection')` is `<domain>/pvc-protection`; `qualify('zone', 'topology')` is `topology.<domain>/zone`. */
  qualify(name: string, subdomain = ''): string {
    return subdomain === '' ? `${this.profile.domain}/${name}` : `${subdomain}.${this.profile.domain}/${name}`
  }
  /** An OpenAPI extension: `extension('list-type')` is `<prefix>list-type`. */
  extension(name: string): string {
    return `${this.profile.extensionPrefix}${name}`
  }
  /** The qualified name of a built-in signer. */
  signer(which: keyof VendorProfile['signers']): string {
    return this.qualify(this.profile.signers[which])
  }
  /** Annotation in which the command-line client keeps the last object that it applied client-side. */
  get lastAppliedAnnotation(): string {
    return this.qualify('last-applied-configuration', this.profile.cli)
  }
}

/** The apiVersion and kind of audit log records. */
export interface AuditRecordType {
  readonly kind: string
  readonly apiVersion: string
}
/** The audit log records, in the names of a vendor. */
export const auditRecordType = (vendor: Vendor): AuditRecordType => ({
  kind: 'Event',
  apiVersion: `${vendor.group('audit')}/v1`,
})
