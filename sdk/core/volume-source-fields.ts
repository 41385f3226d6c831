import { Bool, field, Int32, kept, ListOf, required, StringMap, Text, type TSchema } from '../resource/schema.js'

/** Fields that a kind of volume has both in a Pod and in a PersistentVolume: only the reference to its Secret differs. */
export const cephFSFields = <Secret extends TSchema>(secret: Secret) => ({
  monitors: required(1, ListOf(Text()), 'Addresses of the monitors.'),
  path: field(2, Text(), 'Path within the file system. / by default.'),
  user: field(3, Text(), 'Name of the user. admin by default.'),
  secretFile: field(4, Text(), 'File with the key of the user. /etc/ceph/user.secret by default.'),
  secretRef: kept(5, secret, 'Secret with the key of the user; it wins over secretFile.'),
  readOnly: field(6, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
})

export const cinderFields = <Secret extends TSchema>(secret: Secret) => ({
  volumeID: required(1, Text(), 'Id of the volume.'),
  fsType: field(2, Text(), 'File system of the volume, such as ext4 or xfs. The driver chooses when it is empty.'),
  readOnly: field(3, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
  secretRef: kept(4, secret, 'Secret with the credentials.'),
})

export const flexFields = <Secret extends TSchema>(secret: Secret) => ({
  driver: required(1, Text(), 'Name of the driver.'),
  fsType: field(2, Text(), 'File system of the volume, such as ext4 or xfs. The driver chooses when it is empty.'),
  secretRef: kept(3, secret, 'Secret that is handed to the driver.'),
  readOnly: field(4, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
  options: field(5, StringMap(), 'Settings for the driver.'),
})

export const iscsiFields = <Secret extends TSchema>(secret: Secret) => ({
  targetPortal: required(1, Text(), 'Address of the server, with a port unless it is 3260.'),
  iqn: required(2, Text(), 'Name of the target.'),
  lun: required(3, Int32(), 'Number of the disk.'),
  iscsiInterface: field(4, Text(), { description: 'Interface to use. default by default.', default: 'default' }),
  fsType: field(5, Text(), 'File system of the volume, such as ext4 or xfs. The driver chooses when it is empty.'),
  readOnly: field(6, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
  portals: field(7, ListOf(Text()), 'Further addresses of the server.'),
  chapAuthDiscovery: field(8, Bool(), 'Whether discovery is authenticated by CHAP.'),
  chapAuthSession: field(11, Bool(), 'Whether sessions are authenticated by CHAP.'),
  secretRef: kept(10, secret, 'Secret with the credentials for CHAP.'),
  initiatorName: kept(
    12,
    Text(),
    'Name of the initiator. With one, an interface of the name of portal and volume is made.',
  ),
})

export const rbdFields = <Secret extends TSchema>(secret: Secret) => ({
  monitors: required(1, ListOf(Text()), 'Addresses of the monitors.'),
  image: required(2, Text(), 'Name of the image.'),
  fsType: field(3, Text(), 'File system of the volume, such as ext4 or xfs. The driver chooses when it is empty.'),
  pool: field(4, Text(), { description: 'Name of the pool. rbd by default.', default: 'rbd' }),
  user: field(5, Text(), { description: 'Name of the user. admin by default.', default: 'admin' }),
  keyring: field(6, Text(), {
    description: 'File with the key of the user. /etc/ceph/keyring by default.',
    default: '/etc/ceph/keyring',
  }),
  secretRef: kept(7, secret, 'Secret with the key of the user; it wins over keyring.'),
  readOnly: field(8, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
})

export const scaleIOFields = <Secret extends TSchema>(secret: Secret) => ({
  gateway: required(1, Text(), 'Address of the gateway.'),
  system: required(2, Text(), 'Name of the storage system.'),
  secretRef: required(3, secret, { description: 'Secret with the credentials.', nullable: true }),
  sslEnabled: field(4, Bool(), 'Whether the gateway is reached by TLS.'),
  protectionDomain: field(5, Text(), 'Name of the protection domain.'),
  storagePool: field(6, Text(), 'Name of the pool.'),
  storageMode: field(7, Text(), {
    description: 'ThickProvisioned or ThinProvisioned (the default).',
    default: 'ThinProvisioned',
  }),
  volumeName: field(8, Text(), 'Name of the volume.'),
  fsType: field(9, Text(), {
    description: 'File system of the volume, such as ext4 or xfs. The driver chooses when it is empty.',
    default: 'xfs',
  }),
  readOnly: field(10, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
})

export const storageOSFields = <Secret extends TSchema>(secret: Secret) => ({
  volumeName: field(1, Text(), 'Name of the volume.'),
  volumeNamespace: field(2, Text(), "Scope of the volume's name. That of the claim by default."),
  fsType: field(3, Text(), 'File system of the volume, such as ext4 or xfs. The driver chooses when it is empty.'),
  readOnly: field(4, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
  secretRef: kept(5, secret, 'Secret with the credentials.'),
})
