/** The names that suites look for in the folder of their programs, and that of the profile that clients of these expect. */
export const programs = { server: 'kube-apiserver', store: 'etcd', client: 'kubectl' } as const
export const referenceVendor = 'kubernetes'
