import type { Profile } from './server-flags.js'

/** Areas in which every step must match the recordings, apart from the exceptions. The list only grows. */
export const areasThatMustPass: Readonly<Record<Profile, readonly string[]>> = {
  base: [
    'accessreview',
    'authn',
    'concurrency',
    'configmap',
    'csr',
    'deletion',
    'dryrun',
    'health',
    'impersonation',
    'ingressclass',
    'lists',
    'namespaces',
    'openapi',
    'rbac',
    'rest',
    'secret',
    'serviceaccount',
    'storage',
    'table',
    'tokenreview',
    'watch',
  ],
  plugins: [],
  strict: [],
  external: [],
}
