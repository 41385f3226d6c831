import type { KeyUsageFlags } from '@peculiar/x509'

/** Usages that are bits of the key usage extension, as the library calls them. */
const keyUsages = {
  signing: 'digitalSignature',
  'digital signature': 'digitalSignature',
  'content commitment': 'nonRepudiation',
  'key encipherment': 'keyEncipherment',
  'key agreement': 'keyAgreement',
  'data encipherment': 'dataEncipherment',
  'cert sign': 'keyCertSign',
  'crl sign': 'cRLSign',
  'encipher only': 'encipherOnly',
  'decipher only': 'decipherOnly',
} as const satisfies Record<string, keyof typeof KeyUsageFlags>

/** Usages that are object identifiers of the extended key usage extension. */
const extendedKeyUsages = {
  any: '2.5.29.37.0',
  'server auth': '1.3.6.1.5.5.7.3.1',
  'client auth': '1.3.6.1.5.5.7.3.2',
  'code signing': '1.3.6.1.5.5.7.3.3',
  'email protection': '1.3.6.1.5.5.7.3.4',
  's/mime': '1.3.6.1.5.5.7.3.4',
  'ipsec end system': '1.3.6.1.5.5.7.3.5',
  'ipsec tunnel': '1.3.6.1.5.5.7.3.6',
  'ipsec user': '1.3.6.1.5.5.7.3.7',
  timestamping: '1.3.6.1.5.5.7.3.8',
  'ocsp signing': '1.3.6.1.5.5.7.3.9',
  'microsoft sgc': '1.3.6.1.4.1.311.10.3.3',
  'netscape sgc': '2.16.840.1.113730.4.1',
} as const satisfies Record<string, string>

export type Usage = keyof typeof keyUsages | keyof typeof extendedKeyUsages

/** Every usage that a request may ask for. */
export const allUsages = [...Object.keys(keyUsages), ...Object.keys(extendedKeyUsages)] as readonly Usage[]

const has = <T extends object>(table: T, usage: string): usage is keyof T & string => Object.hasOwn(table, usage)

/** The bits of the key usage extension for these usages. */
export const keyUsageFlags = (usages: readonly string[], flags: typeof KeyUsageFlags): number =>
  usages.reduce((all, usage) => (has(keyUsages, usage) ? all | flags[keyUsages[usage]] : all), 0)

/** The identifiers of the extended key usage extension for these usages, each once. */
export const extendedKeyUsageIds = (usages: readonly string[]): string[] => [
  ...new Set(usages.flatMap(usage => (has(extendedKeyUsages, usage) ? [extendedKeyUsages[usage]] : []))),
]
