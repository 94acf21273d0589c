/** Reads the bytes at a URL with `fetch`. */
export async function read(from: URL): Promise<ArrayBuffer> {
  const response = await fetch(from);
  if (!response.ok) throw new Error(`HTTP status ${response.status} from ${from}`);
  return response.arrayBuffer();
}
