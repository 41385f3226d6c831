import { definePlugin, defineService, defineStartTask, services, serviceToken, Type } from 'orch/sdk'
import { sharedWork } from 'orch/sdk/proposed'
import { recorder } from 'orch/sdk/server'
import { FileRecorder } from './file-recorder.js'
import { replayCommand } from './replay-command.js'

const RecordingOptions = Type.Object({
  record: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'File for a recording of requests and changes of objects, for orch replay. Values of Secrets are left out.',
    }),
  ),
  recordMaxBytes: Type.Integer({
    minimum: 1024 * 1024,
    default: 64 * 1024 * 1024,
    description:
      'Maximum size of --record in bytes. Of older entries only the newer half is retained, in a second file.',
  }),
})

const fileRecorder = serviceToken<FileRecorder>('fileRecorder')

/** `orch serve --record` and `orch replay`: records requests and changes, for failing tests. */
export const recording = definePlugin({
  name: 'recording',
  proposed: ['sharedWork'],
  options: RecordingOptions,
  register(to, { options: { record, recordMaxBytes } }) {
    to.command(replayCommand)
    if (record === undefined) return
    to.service(
      defineService({
        token: fileRecorder,
        needs: { shared: sharedWork, logger: services.logger, vendor: services.vendor },
        create: parts => new FileRecorder({ ...parts, path: record, maxBytes: recordMaxBytes }),
      }),
      defineService({ token: recorder, needs: { file: fileRecorder }, create: ({ file }) => file }),
    )
    to.onStart(
      defineStartTask({
        name: 'record',
        once: true,
        needs: { file: fileRecorder },
        run: ({ file }) => file.open(),
      }),
    )
  },
})
