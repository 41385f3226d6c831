import { join, resolve } from 'node:path'
import { defineController, defineHealthCheck, definePlugin, parseDuration, services, Type } from 'orch/sdk'
import { BackupSchedule, BackupStatus } from './backup-schedule.js'
import { differences } from './differences.js'
import { storageCommand } from './storage-command.js'
import { storageVersionMigrator } from './storage-version-migrations/migrator.js'
import { storageVersionMigrations } from './storage-version-migrations/resource.js'
import { storageVersions } from './storage-versions/resource.js'

export { conformance } from './conformance.js'

const StorageToolsOptions = Type.Object({
  backupInterval: Type.String({
    format: 'duration',
    default: '0s',
    description: 'How often the store is backed up while the server runs; 0s means never.',
  }),
  backupKeep: Type.Integer({
    minimum: 0,
    default: 7,
    description: 'Maximum number of backups of --backup-interval to retain; 0 retains all.',
  }),
  backupDir: Type.Optional(
    Type.String({ minLength: 1, description: 'Folder of these backups; backups in the data folder by default.' }),
  ),
})

/** `orch storage`: maintains and moves a store; scheduled backups. */
export const storageTools = definePlugin({
  name: 'storage-tools',
  differences,
  options: StorageToolsOptions,
  gates: {
    StorageVersionMigrator: {
      stage: 'alpha',
      description: 'StorageVersionMigrations are carried out.',
    },
  },
  register(to, { vendor, isEnabled, options: { backupInterval, backupKeep, backupDir } }) {
    to.resource(storageVersionMigrations(vendor), storageVersions(vendor))
    if (isEnabled('StorageVersionMigrator')) to.controller(storageVersionMigrator(vendor))
    to.command(storageCommand)
    const intervalMs = parseDuration(backupInterval)
    if (intervalMs === 0) return
    const status = new BackupStatus()
    to.controller(
      defineController({
        name: 'storage-backup',
        needs: {
          served: services.servedStore,
          clock: services.clock,
          logger: services.logger,
          metrics: services.metrics,
        },
        async start({ served, ...parts }) {
          const folder = resolve(backupDir ?? join(served.dataDir, 'backups'))
          const schedule = new BackupSchedule({ ...parts, served, folder, intervalMs, keep: backupKeep, status })
          await schedule.start()
          return () => schedule.stop()
        },
      }),
    )
    to.healthCheck(
      defineHealthCheck({
        name: 'storage-backup',
        // A failed backup does not affect serving, so liveness and readiness do not depend on it.
        endpoints: ['healthz'],
        check() {
          if (status.failure !== undefined) throw new Error(`the last backup failed: ${status.failure}`)
        },
      }),
    )
  },
})
