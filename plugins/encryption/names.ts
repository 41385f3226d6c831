import type { Vendor } from 'orch/sdk'

export const encryptionNames = (vendor: Vendor) => {
  const version = `${vendor.group('apiserver.config')}/v1`
  return {
    /** How a configuration file says what it is. The second way is that of older files. */
    kinds: [`${version} EncryptionConfiguration`, 'v1 EncryptionConfig'],
    /** What every encrypted value begins with, such as `k8s:enc:`: the first word of the domain of API groups. */
    mark: `${vendor.profile.groupDomain.split('.', 1)[0]}:enc:`,
  }
}
export type EncryptionNames = ReturnType<typeof encryptionNames>
