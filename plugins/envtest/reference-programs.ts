/** The names of the programs that suites require, and of the vendor profile that their clients expect. */
export const programs = { server: 'kube-apiserver', store: 'etcd', client: 'kubectl' } as const
export const referenceVendor = 'kubernetes'
