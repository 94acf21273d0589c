/** Reads the bytes at a URL with `fetch`. */
export async function read(from: URL): Promise<ArrayBuffer> {
  const response = await fetch(from);
  if (!response.ok) throw new Error(`${from} answers ${response.status}`);
  return response.arrayBuffer();
}
