package plugin

import (
	"encoding/json"
	"fmt"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/plugin/pb"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/msgpack"
)

// encodeValue writes a value with its type; nothing for no value.
func encodeValue(v cty.Value) ([]byte, error) {
	if v == cty.NilVal {
		return nil, nil
	}
	return msgpack.Marshal(v, cty.DynamicPseudoType)
}

func decodeValue(raw []byte) (cty.Value, error) {
	if len(raw) == 0 {
		return cty.NilVal, nil
	}
	return msgpack.Unmarshal(raw, cty.DynamicPseudoType)
}

// request writes a document, whose target's configuration and outputs were taken out.
func request(document any, config, outputs cty.Value) (*pb.Request, error) {
	raw, err := json.Marshal(document)
	if err != nil {
		return nil, fmt.Errorf("writing a request: %w", err)
	}
	out := &pb.Request{RequestJson: raw}
	if out.ConfigMsgpack, err = encodeValue(config); err != nil {
		return nil, fmt.Errorf("writing the configuration of a request: %w", err)
	}
	if out.OutputsMsgpack, err = encodeValue(outputs); err != nil {
		return nil, fmt.Errorf("writing the outputs of a request: %w", err)
	}
	return out, nil
}

// readRequest reads what request wrote: the document into into, the values into its target and outputs. outputs may be nil.
func readRequest(r *pb.Request, into any, target *providers.Target, outputs *cty.Value) error {
	if err := json.Unmarshal(r.GetRequestJson(), into); err != nil {
		return fmt.Errorf("reading a request: %w", err)
	}
	var err error
	if target.Config, err = decodeValue(r.GetConfigMsgpack()); err != nil {
		return fmt.Errorf("reading the configuration of a request: %w", err)
	}
	if outputs != nil {
		if *outputs, err = decodeValue(r.GetOutputsMsgpack()); err != nil {
			return fmt.Errorf("reading the outputs of a request: %w", err)
		}
	}
	return nil
}

// take gives a value, and leaves none in its place.
func take(v *cty.Value) cty.Value {
	out := *v
	*v = cty.NilVal
	return out
}

// chunk is how much of an artifact goes into one message.
const chunk = 256 << 10
