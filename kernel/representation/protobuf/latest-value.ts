import type { TranscodeJob } from './transcode-job.js'

/** Writes the value between two positions, with its tag. */
export type ValueTranscoder = (job: TranscodeJob, start: number, end: number) => void

/**
 * The same, but keeps the latest value with its encoding: times of objects that are written together are mostly equal, and encoding one
 * costs more than comparing it. A tenth of a list in Protobuf (`npm run bench -- --only list-protobuf`).
 */
export function rememberLatest(write: ValueTranscoder): ValueTranscoder {
  let [latest, encoded]: [Buffer, Buffer] = [Buffer.alloc(0), Buffer.alloc(0)]
  return (job, start, end) => {
    const { text, writer } = job
    if (text.isAt(start, end, latest)) {
      writer.append(encoded)
      return
    }
    const before = writer.length
    write(job, start, end)
    latest = Buffer.from(text.bytes.subarray(start, end))
    encoded = writer.toBytes(Buffer.allocUnsafe, before)
  }
}
